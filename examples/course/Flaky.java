import java.util.List;
import java.util.stream.IntStream;

/** Exercise 15: this test fails sometimes, though the service is correct. Why? */
class Flaky extends Store {
  static List<String> orders() { return call("GET", "v1/store/orders").all("id"); }

  static String placeFor(int pet) { return place("{\"petId\":" + pet + ",\"quantity\":1}").field("id"); }

  public static void main(String[] args) {
    List<String> placed = IntStream.range(0, 10).parallel().mapToObj(i -> placeFor(1 + i % 5)).toList();
    List<String> orders = orders();
    check("the placed orders are the last ones, in this order",
        orders.subList(orders.size() - 10, orders.size()).equals(placed));
    call("DELETE", "v1/store/orders/" + placed.get(0));
    check("the cancelled order is gone", !orders().contains(placed.get(0)));
  }
}
