package main

import (
	"context"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
)

// completeTools offers the names of the tools, and then what the tool takes.
func completeTools(c *cli) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		api, err := connectToRunning(cmd.Context(), c, "listing tools")
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		defer api.Close()
		if len(args) > 0 && cmd.Name() == "invoke" {
			return completeParameters(cmd.Context(), api.Client, args)
		}
		objects, err := api.Tools(cmd.Context())
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names := make([]cobra.Completion, 0, len(objects))
		for _, object := range objects {
			tool, err := object.Value()
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			names = append(names, cobra.CompletionWithDesc(tool.Name, oneLine(tool.Description)))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func completeParameters(ctx context.Context, api *apiclient.Client, args []string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, tool, err := findTool(ctx, api, args[0])
	if err != nil || tool == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, p := range tool.Parameters {
		names = append(names, cobra.CompletionWithDesc(p.Name+"=", oneLine(p.Description)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
