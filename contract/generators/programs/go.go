package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	api "example.com/generated/petstore"
)

func client(url string, key string) *api.APIClient {
	settings := api.NewConfiguration()
	settings.Servers = api.ServerConfigurations{{URL: url}}
	settings.AddDefaultHeader("Authorization", "Bearer "+key)
	return api.NewAPIClient(settings)
}

func must[T any](value T, rest ...any) T {
	if err, ok := rest[len(rest)-1].(error); ok {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	orders := client(os.Getenv("URL"), os.Getenv("KEY")).OrdersAPI
	large := client(os.Getenv("LARGE_URL"), os.Getenv("LARGE_KEY"))

	page, _, err := orders.ListOrders(ctx).Limit(15).Execute()
	must(0, err)
	fmt.Println("list", len(page.Data))
	seen := map[int64]bool{}
	for {
		for _, order := range page.Data {
			seen[order.GetId()] = true
		}
		cursor := page.NextCursor.Get()
		if cursor == nil {
			break
		}
		page, _, err = orders.ListOrders(ctx).Limit(15).Cursor(*cursor).Execute()
		must(0, err)
	}
	fmt.Println("pages", len(seen))

	wanted := *api.NewOrderInput(1, 1)
	placed, _, err := orders.PlaceOrder(ctx).OrderInput(wanted).IdempotencyKey("generated").Execute()
	must(0, err)
	fmt.Println("place", placed.GetStatus())
	replayed, _, err := orders.PlaceOrder(ctx).OrderInput(wanted).IdempotencyKey("generated").Execute()
	must(0, err)
	fmt.Println("replay", map[bool]string{true: "same", false: "another"}[replayed.GetId() == placed.GetId()])
	got, _, err := orders.GetOrder(ctx, placed.GetId()).Execute()
	must(0, err)
	fmt.Println("get", got.GetStatus())
	_, err = orders.CancelOrder(ctx, placed.GetId()).Execute()
	must(0, err)
	got, _, err = orders.GetOrder(ctx, placed.GetId()).Execute()
	must(0, err)
	fmt.Println("cancel", got.GetStatus())
	response, err := orders.CancelOrder(ctx, placed.GetId()).Execute()
	var rejected *api.GenericOpenAPIError
	errors.As(err, &rejected)
	body := rejected.Model().(api.ErrorBody)
	fmt.Println("conflict", response.StatusCode, body.GetCode())

	_, response, _ = large.OrdersAPI.GetOrder(ctx, 1).IfNoneMatch(os.Getenv("ETAG")).Execute()
	fmt.Println("unchanged", response.StatusCode)
	got, _, err = large.OrdersAPI.GetOrder(ctx, must(strconv.ParseInt(os.Getenv("LARGE_ID"), 10, 64))).Execute()
	must(0, err)
	fmt.Println("large", got.GetId())
	events, _, err := large.EventsAPI.ListEvents(ctx).After("0").Execute()
	must(0, err)
	fmt.Print("events")
	for _, event := range events.Data {
		fmt.Print(" ", event.GetActualInstance().(interface{ GetType() string }).GetType())
	}
	fmt.Println()
	var message api.Message
	must(0, json.Unmarshal([]byte(os.Getenv("MESSAGE")), &message))
	fmt.Println("webhook", message.OrderPlacedEvent.GetType(), message.OrderPlacedEvent.Data.GetPetId())
}
