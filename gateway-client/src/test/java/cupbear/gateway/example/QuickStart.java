// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway.example;

import cupbear.gateway.Cupbear;
import cupbear.gateway.Grant;
import cupbear.gateway.Refusal;
import cupbear.gateway.RefusedException;
import cupbear.gateway.Session;
import cupbear.gateway.SessionRequest;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The snippets of the README, so that they compile. */
final class QuickStart {
  private QuickStart() {}

  static void vertx(String token, Consumer<Grant> connectTo) {
    Cupbear cupbear = Cupbear.connect("http://cupbear.internal:8080", token);
    cupbear
        .acquire(SessionRequest.of("viewers").in("iad"))
        .onSuccess(session -> {
          connectTo.accept(session.grant()); // machine().address(), credentials(), …
          session.connected();
          session.onLost(why -> System.err.println("lost: " + why.detail()));
          // … and when the user is gone:
          session.close();
        })
        .onFailure(failure -> System.err.println(advice(Refusal.of(failure))));
  }

  static void blocking(Cupbear cupbear, Consumer<Grant> serve) throws InterruptedException {
    try (Session session = cupbear.acquireBlocking(SessionRequest.of("viewers"))) {
      serve.accept(session.grant());
    } catch (RefusedException refused) {
      System.err.println(advice(refused.refusal()));
    }
  }

  static String advice(Refusal refusal) {
    return switch (refusal) {
      case Refusal.NoCapacity none -> "ask again in " + none.retryAfter().toSeconds() + " s";
      case Refusal.QueueFull full -> "ask again in " + full.retryAfter().toSeconds() + " s";
      case Refusal.RateLimited slower -> "too fast; raise the rate of this token or slow down";
      case Refusal.Unauthorized who -> "check CUPBEAR_TOKEN";
      case Refusal.Forbidden no -> "this token lacks the role gateway";
      case Refusal.Invalid wrong -> "mend the request: " + wrong.errors();
      case Refusal.Unreachable away -> "no scheduler: " + away.detail();
      default -> refusal.detail();
    };
  }

  static Cupbear options(Supplier<String> rotatingToken, Supplier<Map<String, String>> trace) {
    return Cupbear.builder()
        .url("http://e2865013b42308.vm.cupbear.internal:8080")
        .url("http://91852e1fe7d387.vm.cupbear.internal:8080")
        .token(rotatingToken)
        .deadline(Duration.ofSeconds(20))
        .headers(trace)
        .build();
  }
}
