// Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… mvn test

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrdersTest {
  static final String V1 = System.getenv("PETSTORE_URL").replaceAll("/$", "");
  static final String V2 = V1.replaceAll("/v1$", "") + "/v2";

  /** The key of the test's own store. */
  String key;

  RequestSpecification with(String key) {
    return given().auth().preemptive().oauth2(key).contentType("application/json");
  }

  @BeforeEach
  void openStore() {
    key = with(System.getenv("PETSTORE_KEY")).body("{\"dataSet\":\"int64\"}")
        .post(V2 + "/sandbox/stores").then().statusCode(201).extract().path("key");
  }

  @AfterEach
  void closeStore() {
    with(key).delete(V2 + "/sandbox/stores/current").then().statusCode(204);
  }

  @Test
  void theConnectionWorks() {
    with(key).get(V1 + "/pets").then().statusCode(200).body("$", hasSize(9));
  }

  /** RestAssured reads an integer as Integer or Long, whichever holds it: every id is exact. */
  @Test
  void aListHasEveryIdExactly() {
    with(key).get(V1 + "/store/orders").then().statusCode(200)
        .body("id", hasSize(9)).body("id", hasItem(9007199254740993L)).body("id", hasItem(9223372036854775807L));
  }

  @Test
  void aPendingOrderIsCancelledAndGone() {
    with(key).delete(V1 + "/store/orders/9007199254740993").then().statusCode(204);
    with(key).get(V1 + "/store/orders").then().body("id", not(hasItem(9007199254740993L)));
    with(key).delete(V1 + "/store/orders/9007199254740993").then().statusCode(404);
  }

  @Test
  void anOrderThatHasShippedIsNotCancelled() {
    with(key).delete(V1 + "/store/orders/9007199254740992").then().statusCode(409)
        .body("code", equalTo("order_already_shipped")).body("status", equalTo(409));
  }

  @Test
  void aWrongKeyIsRejected() {
    with("pst_test_wrong").get(V1 + "/pets").then().statusCode(401).body("code", equalTo("invalid_api_key"));
  }
}
