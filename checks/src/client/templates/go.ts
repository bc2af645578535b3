export const go = String.raw`// A starter client for Pet Store that uses only Go's standard library.
//
//	petstore check-client -- go run client.go
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const tries = 3

var client = &http.Client{Timeout: 15 * time.Second}

var v1, v2 = os.Getenv("PETSTORE_URL"), os.Getenv("PETSTORE_V2_URL")

type row struct {
	ID   int64  "json:\"id\""
	Name string "json:\"name\""
}

func open(client *http.Client, method, url, body string, headers map[string]string) (*http.Response, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	return client.Do(request)
}

// call returns the response and its body. Requests that are safe to repeat are retried.
func call(method, url, body string, headers map[string]string) (*http.Response, []byte) {
	isRepeatable := method != "POST" || headers["Idempotency-Key"] != ""
	mayHaveSucceeded := false
	for left := tries - 1; ; left-- {
		response, err := open(client, method, url, body, headers)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err != nil {
			mayHaveSucceeded = true
			if isRepeatable && left > 0 {
				continue
			}
			fail("no response: ", err)
		}
		status := response.StatusCode
		if (status == 429 || status == 503) && left > 0 {
			time.Sleep(wait(response.Header.Get("Retry-After")))
			continue
		}
		// The attempt whose response was lost has cancelled the order.
		if status == 404 && method == "DELETE" && mayHaveSucceeded {
			return response, text
		}
		// Everything else is final: a retry would be rejected again.
		if status >= 400 {
			fail(status, " ", string(text))
		}
		if response.Header.Get("Deprecation") != "" {
			fmt.Fprintln(os.Stderr, method, url, "is deprecated; sunset:", response.Header.Get("Sunset"))
		}
		return response, text
	}
}

// wait parses Retry-After: a number of seconds, or a date.
func wait(text string) time.Duration {
	if date, err := http.ParseTime(text); err == nil {
		return time.Until(date)
	}
	seconds, err := strconv.Atoi(text)
	if err != nil {
		seconds = 1
	}
	return time.Duration(seconds) * time.Second
}

func fail(what ...any) {
	fmt.Fprintln(os.Stderr, fmt.Sprint(what...))
	os.Exit(1)
}

func parse(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		fail(err)
	}
}

func show(rows []row) {
	out := bufio.NewWriter(os.Stdout)
	for _, one := range rows {
		fmt.Fprintln(out, one.ID)
	}
	out.Flush()
}

func list(url string) {
	var rows []row
	_, text := call("GET", url, "", nil)
	parse(text, &rows)
	show(rows)
}

func listOrdersTwice() {
	first, text := call("GET", v1+"/store/orders", "", nil)
	again, newer := call("GET", v1+"/store/orders", "", map[string]string{"If-None-Match": first.Header.Get("ETag")})
	if again.StatusCode != 304 {
		text = newer
	}
	var rows []row
	parse(text, &rows)
	show(rows)
}

func listPages() {
	next := "?limit=1000"
	for {
		var page struct {
			Data       []row   "json:\"data\""
			NextCursor *string "json:\"nextCursor\""
		}
		_, text := call("GET", v2+"/store/orders"+next, "", nil)
		parse(text, &page)
		show(page.Data)
		if page.NextCursor == nil {
			return
		}
		next = "?limit=1000&cursor=" + *page.NextCursor
	}
}

func getPet(url string) {
	var pet row
	_, text := call("GET", url, "", nil)
	parse(text, &pet)
	fmt.Println(pet.Name)
}

func placeOrder() {
	// The same key on every attempt, so that a lost response does not cause a second order.
	id := make([]byte, 16)
	rand.Read(id)
	call("POST", v2+"/store/orders", "{\"petId\":1,\"quantity\":1}", map[string]string{"Idempotency-Key": hex.EncodeToString(id)})
}

func count() int {
	number, _ := strconv.Atoi(os.Getenv("PETSTORE_COUNT"))
	return number
}

func watchEvents() {
	last, left := os.Getenv("PETSTORE_AFTER"), count()
	for ; left > 0; time.Sleep(500 * time.Millisecond) {
		stream, err := open(http.DefaultClient, "GET", v2+"/store/events/stream", "", map[string]string{"Last-Event-ID": last})
		if err != nil {
			continue
		}
		if stream.StatusCode != 200 {
			fail(stream.Status)
		}
		lines, data := bufio.NewScanner(stream.Body), ""
		for left > 0 && lines.Scan() {
			if rest, isData := strings.CutPrefix(lines.Text(), "data: "); isData {
				data = rest
			}
			// An empty line ends an event; one that was cut off is sent again.
			if lines.Text() != "" || data == "" {
				continue
			}
			var event struct {
				ID string "json:\"id\""
			}
			parse([]byte(data), &event)
			data = ""
			last = event.ID
			fmt.Println(last)
			left--
		}
		stream.Body.Close()
	}
}

// isSigned follows Standard Webhooks: a signature over id, timestamp and raw body, and a recent timestamp.
func isSigned(header http.Header, body []byte) bool {
	sent, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	secret, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("PETSTORE_WEBHOOK_SECRET"), "whsec_"))
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), sent, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(one), expected) {
			return true
		}
	}
	return false
}

func receiveWebhooks() {
	address, err := url.Parse(os.Getenv("PETSTORE_WEBHOOK_URL"))
	if err != nil {
		fail(err)
	}
	ids := make(chan [2]string)
	receive := func(out http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		if !isSigned(request.Header, body) {
			out.WriteHeader(400)
			return
		}
		var event struct {
			ID string "json:\"id\""
		}
		parse(body, &event)
		out.WriteHeader(204)
		out.(http.Flusher).Flush()
		ids <- [2]string{request.Header.Get("webhook-id"), event.ID}
	}
	go http.ListenAndServe(address.Host, http.HandlerFunc(receive))
	seen := map[string]bool{}
	for len(seen) < count() {
		delivery := <-ids
		if !seen[delivery[0]] {
			seen[delivery[0]] = true
			fmt.Println(delivery[1])
		}
	}
	time.Sleep(100 * time.Millisecond)
}

func main() {
	switch os.Getenv("PETSTORE_TASK") {
	case "list-orders":
		list(v1 + "/store/orders")
	case "list-orders-twice":
		listOrdersTwice()
	case "list-pages":
		listPages()
	case "list-pets-twice":
		list(v1 + "/pets")
		list(v1 + "/pets")
	case "get-pet":
		getPet(v2 + "/pets/1")
	case "get-pet-v1":
		getPet(v1 + "/pets/1")
	case "cancel-order":
		call("DELETE", v1+"/store/orders/"+os.Getenv("PETSTORE_ORDER_ID"), "", nil)
	case "place-order":
		placeOrder()
	case "place-two-orders":
		placeOrder()
		placeOrder()
	case "watch-events":
		watchEvents()
	case "receive-webhooks":
		receiveWebhooks()
	default:
		os.Exit(64)
	}
}
`;
