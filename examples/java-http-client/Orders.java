// Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… java Orders.java

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

public class Orders {
  static final String V1 = System.getenv("PETSTORE_URL").replaceAll("/$", "");
  static final String V2 = V1.replaceAll("/v1$", "") + "/v2";
  static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  static HttpResponse<String> call(HttpRequest.Builder request) throws Exception {
    request.header("Authorization", "Bearer " + System.getenv("PETSTORE_KEY")).timeout(Duration.ofSeconds(20));
    return client.send(request.build(), BodyHandlers.ofString());
  }

  static HttpRequest.Builder to(String url) {
    return HttpRequest.newBuilder(URI.create(url));
  }

  /** A long holds every id. The JDK has no JSON; with a library, read ids as long and never as double. */
  static List<Long> numbers(String field, String json) {
    return Pattern.compile("\"" + field + "\":(-?\\d+)").matcher(json).results()
        .map((MatchResult found) -> Long.parseLong(found.group(1))).toList();
  }

  static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }

  public static void main(String[] args) throws Exception {
    List<Long> orders = numbers("id", call(to(V1 + "/store/orders")).body());
    System.out.println(orders.size() + " orders, last id " + last(orders));

    long petId = last(numbers("id", call(to(V2 + "/pets?status=available&limit=1000")).body()));

    // A retry with the same Idempotency-Key and body gets the first response, so there is never a second order.
    String placed = call(to(V2 + "/store/orders")
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .POST(BodyPublishers.ofString("{\"petId\":" + petId + ",\"quantity\":1}"))).body();
    long id = numbers("id", placed).get(0);
    System.out.println("placed order " + id + " for pet " + numbers("petId", placed).get(0));

    if (call(to(V2 + "/store/orders/" + id).DELETE()).statusCode() == 204) System.out.println("cancelled order " + id);

    HttpResponse<String> rejected = call(to(V2 + "/store/orders/" + id).DELETE());
    String code = rejected.body().replaceAll(".*\"code\":\"([^\"]+)\".*", "$1");
    System.out.println("cancelled again: " + rejected.statusCode() + " " + code);
  }
}
