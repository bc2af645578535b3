package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

func client(url string, key string) *ClientWithResponses {
	withKey := WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
	generated, err := NewClientWithResponses(url, withKey)
	check(err)
	return generated
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	store := client(os.Getenv("URL"), os.Getenv("KEY"))
	large := client(os.Getenv("LARGE_URL"), os.Getenv("LARGE_KEY"))
	limit := int32(15)

	page, err := store.ListOrdersWithResponse(ctx, &ListOrdersParams{Limit: &limit})
	check(err)
	fmt.Println("list", len(page.JSON200.Data))
	seen := map[int64]bool{}
	for {
		for _, order := range page.JSON200.Data {
			seen[order.Id] = true
		}
		cursor := page.JSON200.NextCursor
		if cursor == nil {
			break
		}
		page, err = store.ListOrdersWithResponse(ctx, &ListOrdersParams{Limit: &limit, Cursor: cursor})
		check(err)
	}
	fmt.Println("pages", len(seen))

	key := "generated"
	wanted := OrderInput{PetId: 1, Quantity: 1}
	placed, err := store.PlaceOrderWithResponse(ctx, &PlaceOrderParams{IdempotencyKey: &key}, wanted)
	check(err)
	fmt.Println("place", placed.JSON201.Status)
	replayed, err := store.PlaceOrderWithResponse(ctx, &PlaceOrderParams{IdempotencyKey: &key}, wanted)
	check(err)
	id := placed.JSON201.Id
	fmt.Println("replay", map[bool]string{true: "same", false: "another"}[replayed.JSON201.Id == id])
	got, err := store.GetOrderWithResponse(ctx, id, &GetOrderParams{})
	check(err)
	fmt.Println("get", got.JSON200.Status)
	_, err = store.CancelOrderWithResponse(ctx, id)
	check(err)
	got, err = store.GetOrderWithResponse(ctx, id, &GetOrderParams{})
	check(err)
	fmt.Println("cancel", got.JSON200.Status)
	rejected, err := store.CancelOrderWithResponse(ctx, id)
	check(err)
	fmt.Println("conflict", rejected.StatusCode(), rejected.JSON409.Code)

	etag := os.Getenv("ETAG")
	unchanged, err := large.GetOrderWithResponse(ctx, 1, &GetOrderParams{IfNoneMatch: &etag})
	check(err)
	fmt.Println("unchanged", unchanged.StatusCode())
	largeId, err := strconv.ParseInt(os.Getenv("LARGE_ID"), 10, 64)
	check(err)
	got, err = large.GetOrderWithResponse(ctx, largeId, &GetOrderParams{})
	check(err)
	fmt.Println("large", got.JSON200.Id)
	after := "0"
	events, err := large.ListEventsWithResponse(ctx, &ListEventsParams{After: &after})
	check(err)
	fmt.Print("events")
	for _, event := range events.JSON200.Data {
		kind, err := event.Discriminator()
		check(err)
		fmt.Print(" ", kind)
	}
	fmt.Println()
	var message Message
	check(json.Unmarshal([]byte(os.Getenv("MESSAGE")), &message))
	order, err := message.AsOrderPlacedEvent()
	check(err)
	fmt.Println("webhook", order.Type, order.Data.PetId)
}
