package example

import (
	"encoding/json"
	"net/http"
	"testing"
)

func TestOrders(t *testing.T) {
	request, err := http.NewRequest("GET", petStore.URL+"/store/orders", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+petStore.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var orders []struct{ ID int64 }
	if err := json.NewDecoder(response.Body).Decode(&orders); err != nil {
		t.Fatal(err)
	}
	if len(orders) != 40 {
		t.Fatalf("got %d orders, want 40", len(orders))
	}
}
