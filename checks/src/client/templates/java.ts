export const java = String.raw`// A starter client for Pet Store that uses only the standard library of Java 17 or newer.
//     petstore check-client -- java Client.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Client {
  static final String V1 = System.getenv("PETSTORE_URL"), V2 = System.getenv("PETSTORE_V2_URL");
  static final int TRIES = 3;
  static final Duration TIMEOUT = Duration.ofSeconds(15);
  static final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static HttpRequest request(String method, String url, String body, Map<String, String> headers) {
    var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(URI.create(url)).method(method, publisher).timeout(TIMEOUT)
        .header("Authorization", "Bearer " + System.getenv("PETSTORE_KEY")).header("Content-Type", "application/json");
    headers.forEach(request::header);
    return request.build();
  }

  /** Retries requests that are safe to repeat. */
  static HttpResponse<String> call(String method, String url, String body, Map<String, String> headers)
      throws Exception {
    boolean isRepeatable = !method.equals("POST") || headers.containsKey("Idempotency-Key");
    boolean mayHaveSucceeded = false;
    for (int left = TRIES - 1;; left--) {
      HttpResponse<String> response;
      // The timeout of a request ends with the headers: this one includes the body.
      var sent = http.sendAsync(request(method, url, body, headers), BodyHandlers.ofString());
      try {
        response = sent.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException error) {
        sent.cancel(true);
        mayHaveSucceeded = true;
        if (!isRepeatable || left == 0) throw error;
        // HttpClient has already retried once, immediately.
        Thread.sleep(500 * (TRIES - left));
        continue;
      }
      int status = response.statusCode();
      if ((status == 429 || status == 503) && left > 0) {
        Thread.sleep(milliseconds(response.headers().firstValue("Retry-After").orElse("1")));
        continue;
      }
      // The attempt whose response was lost has cancelled the order.
      if (status == 404 && method.equals("DELETE") && mayHaveSucceeded) return response;
      // Everything else is final: a retry would be rejected again.
      if (status >= 400) throw new IOException(status + " " + response.body());
      if (response.headers().firstValue("Deprecation").isPresent())
        System.err.println(method + " " + url + " is deprecated; sunset: "
            + response.headers().firstValue("Sunset").orElse("?"));
      return response;
    }
  }

  static HttpResponse<String> get(String url) throws Exception {
    return call("GET", url, null, Map.of());
  }

  static Object json(String url) throws Exception {
    return Json.parse(get(url).body());
  }

  /** Retry-After is a number of seconds, or a date. */
  static long milliseconds(String text) {
    if (text.matches("\\d+")) return 1000 * Long.parseLong(text);
    var date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    return Math.max(0, Duration.between(Instant.now(), date).toMillis() + 1);
  }

  static void show(Object rows) {
    var out = new StringBuilder();
    for (Object row : (List<?>) rows) out.append(field("id", row)).append('\n');
    System.out.print(out);
  }

  static Object field(String name, Object json) {
    return ((Map<?, ?>) json).get(name);
  }

  /** Java has no built-in JSON parser. In this one, numbers are strings: ids of any size stay exact. */
  static final class Json {
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    static Object parse(String text) {
      return new Json(text).value();
    }

    private Object value() {
      switch (next()) {
        case '{' -> {
          var fields = new HashMap<String, Object>();
          for (at++; next() != '}'; skip(',')) {
            String name = string();
            skip(':');
            fields.put(name, value());
          }
          at++;
          return fields;
        }
        case '[' -> {
          var items = new ArrayList<Object>();
          for (at++; next() != ']'; skip(',')) items.add(value());
          at++;
          return items;
        }
        case '"' -> {
          return string();
        }
        default -> {
          int from = at;
          while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
          String word = text.substring(from, at);
          return word.equals("null") ? null : word;
        }
      }
    }

    private String string() {
      var out = new StringBuilder();
      for (at++; text.charAt(at) != '"'; at++) {
        char one = text.charAt(at);
        if (one == '\\') {
          one = text.charAt(++at);
          int control = "bfnrt".indexOf(one);
          if (control >= 0) one = "\b\f\n\r\t".charAt(control);
          if (one == 'u') one = (char) Integer.parseInt(text.substring(at + 1, (at += 4) + 1), 16);
        }
        out.append(one);
      }
      at++;
      return out.toString();
    }

    private char next() {
      while (Character.isWhitespace(text.charAt(at))) at++;
      return text.charAt(at);
    }

    private void skip(char expected) {
      if (next() == expected) at++;
    }
  }

  // The same key on every attempt, so that a lost response does not cause a second order.
  static void placeOrder() throws Exception {
    var key = Map.of("Idempotency-Key", UUID.randomUUID().toString());
    call("POST", V2 + "/store/orders", "{\"petId\":1,\"quantity\":1}", key);
  }

  static void listOrdersTwice() throws Exception {
    var first = get(V1 + "/store/orders");
    var tag = first.headers().firstValue("ETag").orElse("");
    var again = call("GET", V1 + "/store/orders", null, Map.of("If-None-Match", tag));
    show(Json.parse(again.statusCode() == 304 ? first.body() : again.body()));
  }

  static void listPages() throws Exception {
    String cursor = "";
    while (cursor != null) {
      Object page = json(V2 + "/store/orders?limit=1000" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
      show(field("data", page));
      cursor = (String) field("nextCursor", page);
    }
  }

  static void watchEvents() throws Exception {
    String last = System.getenv("PETSTORE_AFTER");
    int left = Integer.parseInt(System.getenv("PETSTORE_COUNT"));
    while (left > 0) {
      try {
        var stream = request("GET", V2 + "/store/events/stream", null, Map.of("Last-Event-ID", last));
        var response = http.send(stream, BodyHandlers.ofLines());
        if (response.statusCode() != 200) System.exit(1);
        var lines = response.body().iterator();
        while (left > 0 && lines.hasNext()) {
          String line = lines.next();
          if (!line.startsWith("data: ")) continue;
          last = (String) field("id", Json.parse(line.substring(6)));
          System.out.println(last);
          left--;
        }
      } catch (IOException | java.io.UncheckedIOException error) {
        // The connection was lost.
      }
      Thread.sleep(500);
    }
    System.exit(0);
  }

  /** Follows Standard Webhooks: a signature over id, timestamp and raw body, and a recent timestamp. */
  static boolean isSigned(HttpExchange delivery, byte[] body) throws Exception {
    var headers = delivery.getRequestHeaders();
    String sent = headers.getFirst("webhook-timestamp"), signatures = headers.getFirst("webhook-signature");
    if (sent == null || signatures == null || !sent.matches("\\d+")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(sent)) > 300) return false;
    var mac = Mac.getInstance("HmacSHA256");
    String secret = System.getenv("PETSTORE_WEBHOOK_SECRET").replace("whsec_", "");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
    mac.update((headers.getFirst("webhook-id") + "." + sent + ".").getBytes());
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    for (String one : signatures.split(" "))
      if (MessageDigest.isEqual(one.getBytes(), expected.getBytes())) return true;
    return false;
  }

  static void receiveWebhooks() throws Exception {
    int count = Integer.parseInt(System.getenv("PETSTORE_COUNT"));
    var address = URI.create(System.getenv("PETSTORE_WEBHOOK_URL"));
    var server = HttpServer.create(new InetSocketAddress(address.getHost(), address.getPort()), 0);
    Set<String> seen = new HashSet<>();
    var done = new CountDownLatch(1);
    server.createContext("/", delivery -> {
      try (delivery) {
        byte[] body = delivery.getRequestBody().readAllBytes();
        boolean isGood = isSigned(delivery, body);
        if (isGood && seen.add(delivery.getRequestHeaders().getFirst("webhook-id")))
          System.out.println(field("id", Json.parse(new String(body, StandardCharsets.UTF_8))));
        delivery.sendResponseHeaders(isGood ? 204 : 400, -1);
      } catch (Exception error) {
        System.err.println(error);
      }
      if (seen.size() == count) done.countDown();
    });
    server.start();
    done.await();
    server.stop(0);
  }

  public static void main(String[] args) throws Exception {
    // UTF-8, whatever the locale.
    System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    switch (System.getenv("PETSTORE_TASK")) {
      case "list-orders" -> show(json(V1 + "/store/orders"));
      case "list-orders-twice" -> listOrdersTwice();
      case "list-pages" -> listPages();
      case "list-pets-twice" -> {
        show(json(V1 + "/pets"));
        show(json(V1 + "/pets"));
      }
      case "get-pet" -> System.out.println(field("name", json(V2 + "/pets/1")));
      case "get-pet-v1" -> System.out.println(field("name", json(V1 + "/pets/1")));
      case "cancel-order" ->
        call("DELETE", V1 + "/store/orders/" + System.getenv("PETSTORE_ORDER_ID"), null, Map.of());
      case "place-order" -> placeOrder();
      case "place-two-orders" -> {
        placeOrder();
        placeOrder();
      }
      case "watch-events" -> watchEvents();
      case "receive-webhooks" -> receiveWebhooks();
      default -> System.exit(64);
    }
  }
}
`;
