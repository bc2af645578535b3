// Run: PETSTORE_URL=http://127.0.0.1:8080/v1 PETSTORE_KEY=pst_live_… java V1.java

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class V1 {
  /** A long holds every id. The JDK has no JSON; with a library, read ids as long and never as double. */
  record Order(long id, boolean complete) {}

  static final String URL = System.getenv("PETSTORE_URL").replaceAll("/$", "");
  static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  static HttpResponse<String> call(String method, String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(URL + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .header("Authorization", "Bearer " + System.getenv("PETSTORE_KEY"))
        .timeout(Duration.ofSeconds(20));
    return client.send(request.build(), BodyHandlers.ofString());
  }

  static List<Order> orders(String json) {
    Matcher found = Pattern.compile("\"id\":(\\d+).*?\"complete\":(true|false)").matcher(json);
    List<Order> orders = new ArrayList<>();
    while (found.find())
      orders.add(new Order(Long.parseLong(found.group(1)), Boolean.parseBoolean(found.group(2))));
    return orders;
  }

  public static void main(String[] args) throws Exception {
    HttpResponse<String> pets = call("GET", "/pets");
    if (pets.statusCode() != 200) throw new IllegalStateException(pets.body());
    System.out.println("connected: " + (pets.body().split("\"id\":").length - 1) + " pets");

    List<Order> orders = orders(call("GET", "/store/orders").body());
    System.out.println(orders.size() + " orders, last id " + orders.get(orders.size() - 1).id());

    // Only a pending order can be cancelled, and v1 shows no status: try the last one first.
    for (int i = orders.size() - 1; i >= 0; i--) {
      Order order = orders.get(i);
      if (order.complete() || call("DELETE", "/store/orders/" + order.id()).statusCode() != 204) continue;
      System.out.println("cancelled order " + order.id());
      break;
    }

    List<Order> delivered = orders.stream().filter(Order::complete).toList();
    long id = delivered.get(delivered.size() - 1).id();
    HttpResponse<String> rejected = call("DELETE", "/store/orders/" + id);
    String code = rejected.body().replaceAll(".*\"code\":\"([^\"]+)\".*", "$1");
    System.out.println("order " + id + " cannot be cancelled: " + rejected.statusCode() + " " + code);
  }
}
