// The rights that programs ask for: one answer for all of them.

import { doing } from "/assets/act.js";
import { json } from "/assets/dom.js";
import { ready } from "/assets/ready.js";

const form = document.querySelector("#rights form");

form?.addEventListener("submit", async (e) => {
  e.preventDefault();
  const done = await doing(form.querySelector("button"), async (signal) => {
    // What was answered before something went wrong stays answered; sending it again changes nothing.
    for (const asks of form.querySelectorAll("[data-asks]")) {
      const approved = JSON.parse(asks.dataset.approved);
      for (const box of asks.querySelectorAll("input:checked")) approved.signals[box.name] = true;
      await json("PUT", `/api/apps/${asks.dataset.asks}/scopes`, { approved_scopes: approved }, signal);
    }
    return true;
  });
  if (done) location.reload();
});

ready("rights");
