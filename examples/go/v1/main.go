// Run: PETSTORE_URL=http://127.0.0.1:8080/v1 PETSTORE_KEY=pst_live_… go run main.go
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

// Order has its id as int64, which encoding/json reads exactly. An interface{} would make it float64.
type Order struct {
	ID       int64 `json:"id"`
	Complete bool  `json:"complete"`
}

// Error is the body of every error response.
type Error struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
}

func (e Error) Error() string { return fmt.Sprintf("%d %s", e.Status, e.Code) }

var client = http.Client{Timeout: 20 * time.Second}

func call(method, path string, result any) error {
	request, err := http.NewRequest(method, strings.TrimSuffix(os.Getenv("PETSTORE_URL"), "/")+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		var rejected Error
		if err := json.NewDecoder(response.Body).Decode(&rejected); err != nil {
			return err
		}
		return rejected
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(result)
}

func main() {
	var pets []struct{ ID int64 }
	if err := call("GET", "/pets", &pets); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("connected: %d pets\n", len(pets))

	var orders []Order
	if err := call("GET", "/store/orders", &orders); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d orders, last id %d\n", len(orders), orders[len(orders)-1].ID)

	// Only a pending order can be cancelled, and v1 shows no status: try the last one first.
	for i := len(orders) - 1; i >= 0; i-- {
		if !orders[i].Complete && call("DELETE", fmt.Sprintf("/store/orders/%d", orders[i].ID), nil) == nil {
			fmt.Printf("cancelled order %d\n", orders[i].ID)
			break
		}
	}
	for i := len(orders) - 1; i >= 0; i-- {
		if orders[i].Complete {
			err := call("DELETE", fmt.Sprintf("/store/orders/%d", orders[i].ID), nil)
			fmt.Printf("order %d cannot be cancelled: %v\n", orders[i].ID, err)
			break
		}
	}
}
