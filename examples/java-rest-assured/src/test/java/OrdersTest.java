// Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… mvn test

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OrdersTest {
  @BeforeAll
  static void address() {
    RestAssured.baseURI = System.getenv("PETSTORE_URL").replaceAll("(/v1)?/?$", "");
  }

  RequestSpecification asOwner() {
    return given().auth().preemptive().oauth2(System.getenv("PETSTORE_KEY"));
  }

  @Test
  void placesAndCancelsAnOrder() {
    // RestAssured reads an integer as Integer or Long, whichever holds it: as Number, every id is exact.
    List<Number> orders = asOwner().get("/v1/store/orders").then().statusCode(200).extract().path("id");
    System.out.println("orders " + orders.size() + ", the last is " + orders.get(orders.size() - 1));

    List<Number> pets = asOwner().queryParam("status", "available").queryParam("limit", 1000)
        .get("/v2/pets").then().statusCode(200).extract().path("data.id");
    long petId = pets.get(pets.size() - 1).longValue();

    // A retry with the same Idempotency-Key and body gets the first answer: there is never a second order.
    var placed = asOwner().header("Idempotency-Key", UUID.randomUUID().toString())
        .contentType("application/json").body("{\"petId\":" + petId + ",\"quantity\":1}")
        .post("/v2/store/orders").then().statusCode(201).body("status", equalTo("pending")).extract();
    long id = placed.<Number>path("id").longValue();
    assertEquals(petId, placed.<Number>path("petId").longValue());
    System.out.println("placed order " + id + " of pet " + petId);

    asOwner().delete("/v2/store/orders/" + id).then().statusCode(204);
    System.out.println("cancelled order " + id);

    String code = asOwner().delete("/v2/store/orders/" + id).then().statusCode(409).extract().path("code");
    System.out.println("cancelled again: 409 " + code);
  }
}
