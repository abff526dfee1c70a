package domain_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

// Which tools are taken for ones that may move money, by what they say of themselves.
func TestMovesMoney(t *testing.T) {
	changes := map[bool][][2]string{
		true: {
			{"transfer", "Transfer money to somebody."},
			{"transfer", ""},
			{"send_money", "Sends an amount to a person."},
			{"send", "Send money to a contact."},
			{"pay_invoice", "Settles an invoice."},
			{"payBill", ""},
			{"quick_pay", ""},
			{"settle", "Pays an open invoice."},
			{"submit", "Submits the cart and pays with the card on file."},
			{"submit", "Used for paying bills."},
			{"create_payment", ""},
			{"make-payment", ""},
			{"place_order", "Order everything in the cart."},
			{"placeOrder", ""},
			{"order_pizza", "A pizza, brought to the door."},
			{"order", "Order food."},
			{"dinner", "Orders a pizza to the house."},
			{"execute", "Place a market order for shares."},
			{"buy", "Buy shares."},
			{"buy_shares", ""},
			{"purchase_ticket", ""},
			{"checkout", "Finishes."},
			{"check_out", "Check out with what is in the cart."},
			{"book_flight", "Book a flight."},
			{"booker", "Books a room in a hotel."},
			{"get_ride", "Books a ride."},
			{"find_flight", "Find a flight and book it."},
			{"search_and_book_hotel", ""},
			{"reserve_room", ""},
			{"donate", ""},
			{"sell", "Sell shares."},
			{"charge", "Charge a card."},
			{"wire", "Wire funds abroad."},
			{"top", "Withdraw cash."},
			{"trade", "Buys or sells."},
			{"subscribe", "Subscribe to a paid plan."},
		},
		false: {
			{"list_orders", "List your orders."},
			{"get_order", "One order, with what it cost."},
			{"order_status", "Where an order is."},
			{"track_order", "Where an order (parcel) is and whether it has shipped."},
			{"orders", "List your orders."},
			{"order", "Shows an order."},
			{"cancel_order", "Cancel an order that hasn't shipped."},
			{"sort", "Set the sort order of a list."},
			{"set_sort_order", ""},
			{"payment_history", "What was paid."},
			{"add_payment_method", "Adds a card to the wallet."},
			{"get_quote", "The price to buy a share."},
			{"best_time", "Find the best time to book a flight."},
			{"transfer_file", "Copies a file elsewhere."},
			{"transfer_playback", "Moves the music to another player."},
			{"book_table", "Books a table."},
			{"book", ""},
			{"book_appointment", ""},
			{"search_books", "Search for books."},
			{"add_book", "Add a book to the shelf."},
			{"set_lamp", "Switches the lamp"},
			{"count", "Counts"},
			{"add_to_cart", "Add a product to the cart."},
			{"remind", "Says something in order to remind."},
			{"send_email", "Send an email to somebody."},
			{"display", ""},
			{"payload", "Upload a payload."},
			{"checkout_branch", "Check out a branch."},
			{"", ""},
		},
	}
	for want, tools := range changes {
		for _, c := range tools {
			o := domain.Offer{Name: c[0], Tool: domain.Tool{Name: c[0], Description: c[1]}, Interface: &domain.Interface{ID: domain.ID{1}, Name: "x"}}
			var book domain.Rulebook
			if got := book.Manifest(o); got.MovesMoney != want {
				t.Errorf("%q, %q: %t", c[0], c[1], got.MovesMoney)
			}
			looks := false
			o.Tool.SideEffects = &looks
			if book.Manifest(o).MovesMoney {
				t.Errorf("%q, %q only looks", c[0], c[1])
			}
			o.Tool.SideEffects, o.Interface = nil, &domain.Interface{Name: domain.OwnName}
			if book.Manifest(o).MovesMoney {
				t.Errorf("%q, %q is Chalie's own", c[0], c[1])
			}
		}
	}
}

// What a tool's parameters, effects and documentation say of it.
func TestMovesMoneyByTheRest(t *testing.T) {
	takes := func(names ...string) (out []domain.Parameter) {
		for _, name := range names {
			name, about, _ := strings.Cut(name, ": ")
			out = append(out, domain.Parameter{Name: name, Type: domain.TypeString, Description: about})
		}
		return out
	}
	for want, tools := range map[bool][]domain.Tool{
		true: {
			{Name: "send", Parameters: takes("to", "iban")},
			{Name: "settle", Parameters: takes("amount", "currency")},
			{Name: "do", Parameters: takes("pay_to")},
			{Name: "do", Parameters: takes("buyNow")},
			{Name: "get_report", Parameters: takes("buy_now")},
			{Name: "dinner", Parameters: takes("dish: The dish to order.")},
			{Name: "do", Parameters: takes("sum: How much to pay")},
			{Name: "do", Parameters: takes("account: The account to transfer to")},
			{Name: "ride", Parameters: takes("payment_method")},
			{Name: "ride", Effects: []string{"charges the card"}},
			{Name: "ride", Effects: []string{"a payment"}},
			{Name: "ride", Documentation: "Takes you home. Pays with the card on file."},
			{Name: "find_flight", Documentation: "Finds a flight and books it."},
		},
		false: {
			{Name: "water", Parameters: takes("amount: How much water")},
			{Name: "issues", Parameters: takes("order: Order results by date", "sort: The field to order by")},
			{Name: "find_payment", Parameters: takes("payment_id", "iban", "amount", "currency")},
			{Name: "set_currency", Parameters: takes("currency")},
			{Name: "note", Parameters: takes("text: What to keep")},
			{Name: "greet", Parameters: takes("name", "times"), Effects: []string{"says something"}},
			{Name: "lamp", Documentation: "Switches the lamp. Pay attention to its colour."},
		},
	} {
		for _, tool := range tools {
			var book domain.Rulebook
			if got := book.Manifest(domain.Offer{Name: tool.Name, Tool: tool, Interface: &domain.Interface{ID: domain.ID{1}, Name: "x"}}); got.MovesMoney != want {
				t.Errorf("%+v: %t", tool, got.MovesMoney)
			}
		}
	}
}
