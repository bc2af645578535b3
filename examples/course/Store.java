import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Pattern;

/** Calls the store under test: Store.call("GET", "v1/pets"). */
class Store {
  static final String KEY = System.getenv("PETSTORE_KEY");
  static final String OTHER_KEY = System.getenv("PETSTORE_OTHER_KEY"); // of a second store
  static final String READ_KEY = System.getenv("PETSTORE_READ_KEY"); // of the first store, read-only
  static final HttpClient client = HttpClient.newHttpClient();

  static Reply call(String method, String path) { return call(method, path, null, KEY); }

  static Reply call(String method, String path, String body) { return call(method, path, body, KEY); }

  /** Headers alternate names and values. */
  static Reply call(String method, String path, String body, String key, String... headers) {
    String url = path.replaceFirst("^v1", System.getenv("PETSTORE_URL"))
        .replaceFirst("^v2", System.getenv("PETSTORE_V2_URL"));
    var request = HttpRequest.newBuilder(URI.create(url))
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (key != null) request.header("Authorization", "Bearer " + key);
    if (body != null) request.header("Content-Type", "application/json");
    if (headers.length > 0) request.headers(headers);
    try {
      return new Reply(client.send(request.build(), BodyHandlers.ofString()));
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  /** Places an order and returns its id. */
  static String place() { return place("{\"petId\":1,\"quantity\":1}").field("id"); }

  static Reply place(String body) {
    Reply reply = call("POST", "v2/store/orders", body);
    check("an order is placed", reply.status == 201);
    return reply;
  }

  static void check(String what, boolean condition) {
    if (condition) return;
    System.err.println("FAILED: " + what);
    System.exit(1);
  }

  static void isError(Reply reply, int status, String code) {
    check(status + " " + code + ", not " + reply.status + " " + reply.text,
        reply.status == status && reply.field("status").equals("" + status) && reply.field("code").equals(code));
  }

  static class Reply {
    final int status;
    final String text;
    private final HttpResponse<String> response;

    Reply(HttpResponse<String> response) {
      this.response = response;
      status = response.statusCode();
      text = response.body();
    }

    String header(String name) { return response.headers().firstValue(name).orElse(""); }

    /** Every value of a field, in order, without quotes. Java has no JSON parser, so a pattern finds them. */
    List<String> all(String name) {
      return Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(text).results().map(m -> m.group(1)).toList();
    }

    String field(String name) { return all(name).isEmpty() ? "" : all(name).get(0); }
  }
}
