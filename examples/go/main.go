// Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… go run main.go
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

// Order has its ids as int64, which encoding/json reads exactly. An interface{} would make them float64.
type Order struct {
	ID    int64 `json:"id"`
	PetID int64 `json:"petId"`
}

// Error is the body of every error response.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

func (e Error) Error() string { return fmt.Sprintf("%d %s", e.Status, e.Code) }

var (
	v1 = strings.TrimSuffix(os.Getenv("PETSTORE_URL"), "/")
	v2 = strings.TrimSuffix(v1, "/v1") + "/v2"
)

var client = http.Client{Timeout: 20 * time.Second}

func call(method, url string, body, result any, headers map[string]string) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, sent)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
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

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	var orders []Order
	must(call("GET", v1+"/store/orders", nil, &orders, nil))
	fmt.Printf("%d orders, last id %d\n", len(orders), orders[len(orders)-1].ID)

	var pets struct{ Data []struct{ ID int64 } }
	must(call("GET", v2+"/pets?status=available&limit=1000", nil, &pets, nil))

	// A retry with the same Idempotency-Key and body gets the first response, so there is never a second order.
	var placed Order
	key := make([]byte, 16)
	must(func() error { _, err := rand.Read(key); return err }())
	must(call("POST", v2+"/store/orders",
		map[string]int64{"petId": pets.Data[len(pets.Data)-1].ID, "quantity": 1}, &placed,
		map[string]string{"Idempotency-Key": fmt.Sprintf("%x", key)}))
	fmt.Printf("placed order %d for pet %d\n", placed.ID, placed.PetID)

	order := fmt.Sprintf("%s/store/orders/%d", v2, placed.ID)
	must(call("DELETE", order, nil, nil, nil))
	fmt.Printf("cancelled order %d\n", placed.ID)

	fmt.Printf("cancelled again: %v\n", call("DELETE", order, nil, nil, nil))
}
