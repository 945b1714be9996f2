// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.security.Credentials;
import cupbear.scheduler.security.Receipts;
import cupbear.scheduler.security.Receipts.Verified;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.SealedCredentials.Binding;
import cupbear.scheduler.security.SealedCredentials.Opened;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Grants and sessions as answers. The only place where sealed credentials are opened, and only into
 * the answer that hands them over; receipts are made and believed here.
 */
final class Grants {
  /** The credentials of a grant cannot be opened: a wrong key, or not sealed for this boot. */
  static final class Sealed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Sealed(SealedCredentials.Why why) {
      super("sealed credentials do not open: " + why, null, false, false);
    }
  }

  private final Pools pools;
  private final ApiParts.Trusting trusting;

  Grants(Pools pools, ApiParts.Trusting trusting) {
    this.pools = pools;
    this.trusting = trusting;
  }

  /** What a box of credentials is bound to; whoever seals them must say the same. */
  static Binding binding(Grant grant) {
    return Binding.of(grant.pool(), grant.machine(), grant.proof().bootedAt());
  }

  /**
   * The whole grant, for its gateway.
   *
   * @param until the end of its lease; the time to confirm it by, as long as it is not confirmed
   */
  JsonObject session(Grant grant, Duration queued, Instant until) {
    Terms terms = terms(grant);
    JsonObject json =
        new JsonObject()
            .put("id", grant.session().value())
            .put("pool", grant.pool().value())
            .put("region", grant.region().code())
            .put("machine", machine(grant));
    open(grant)
        .ifPresent(login ->
            json.put(
                "credentials",
                new JsonObject()
                    .put("username", login.username())
                    .put("password", login.password().reveal())));
    return json.put("epoch", grant.epoch().value())
        .put("queue_ms", queued.toMillis())
        .put("lease", lease(until, terms))
        .put("confirm_within", Texts.duration(terms.confirmWithin()))
        .put("receipt", receipt(grant));
  }

  JsonObject renewed(Grant grant, Instant until, boolean replaced) {
    JsonObject json =
        new JsonObject()
            .put("id", grant.session().value())
            .put("epoch", grant.epoch().value())
            .put("lease", lease(until, terms(grant)))
            .put("receipt", receipt(grant));
    return replaced ? json.put("replacement", session(grant, Duration.ZERO, until)) : json;
  }

  /** A session as others see it: never with credentials or receipt. */
  JsonObject view(SessionView view, boolean withAddresses) {
    Grant grant = java.util.Objects.requireNonNull(view.grant());
    JsonObject machine =
        withAddresses ? machine(grant) : new JsonObject().put("id", grant.machine().value());
    JsonObject json =
        new JsonObject()
            .put("id", view.session().value())
            .put("state", Texts.word(view.stage()))
            .put("pool", grant.pool().value())
            .put("region", grant.region().code())
            .put("machine", machine)
            .put("epoch", grant.epoch().value())
            .put("tenant", view.tenant())
            .put("queue_ms", grant.waited().toMillis());
    if (view.leaseUntil() != null && view.ended() == null) {
      json.put("lease", lease(view.leaseUntil(), terms(grant)));
    }
    json.put("created_at", Texts.time(grant.grantedAt().minus(grant.waited())));
    putTime(json, "connected_at", view.confirmedAt());
    if (view.ended() != null) json.put("end_reason", Texts.word(view.ended()));
    return json;
  }

  private static void putTime(JsonObject json, String name, @Nullable Instant time) {
    if (time != null) json.put(name, Texts.time(time));
  }

  private JsonObject machine(Grant grant) {
    PoolSpec.Serving ports =
        pools.find(grant.pool()).map(PoolSpec::serving).orElse(PoolSpec.Serving.DEFAULT);
    String app = pools.find(grant.pool()).map(PoolSpec::app).orElse("unknown");
    return new JsonObject()
        .put("id", grant.machine().value())
        .put("address", grant.address())
        .put("host", grant.machine() + ".vm." + app + ".internal")
        .put("guacd_port", ports.guacdPort())
        .put("rdp_port", ports.rdpPort());
  }

  private static JsonObject lease(Instant until, Terms terms) {
    return new JsonObject()
        .put("expires_at", Texts.time(until))
        .put("renew_within", Texts.duration(terms.renewWithin()));
  }

  private Terms terms(Grant grant) {
    return pools.find(grant.pool()).map(PoolSpec::terms).orElse(Terms.DEFAULT);
  }

  private Optional<Credentials> open(Grant grant) {
    String sealed = grant.sealed();
    if (sealed == null) return Optional.empty();
    return switch (trusting.credentials().open(sealed, binding(grant))) {
      case Opened.Open open -> Optional.of(open.credentials());
      case Opened.Refused refused -> throw new Sealed(refused.why());
    };
  }

  // ---- receipts

  /** Good for as long as the session may live: the store may be away for most of that. */
  private String receipt(Grant grant) {
    return trusting
        .receipts()
        .sign(
            new Receipts.Grant(
                grant.session(),
                grant.machine(),
                grant.epoch(),
                grant.caller().id(),
                grant.region(),
                grant.pool(),
                grant.address(),
                grant.proof().bootedAt(),
                grant.grantedAt(),
                grant.grantedAt().plus(terms(grant).maxSession())));
  }

  /** What a receipt is worth; one that is too old counts as none. */
  Parsed<Optional<Grant>> believed(@Nullable String receipt, Instant now) {
    if (receipt == null) return new Parsed.Good<>(Optional.empty());
    return switch (trusting.receipts().verify(receipt, now)) {
      case Verified.Valid valid -> new Parsed.Good<>(Optional.of(grant(valid.grant())));
      case Verified.Expired any -> new Parsed.Good<>(Optional.empty());
      case Verified.Forged any -> wrong("is not signed by this scheduler; leave it out");
      case Verified.Malformed any -> wrong("is not a receipt; send it as it was given");
    };
  }

  private static Parsed<Optional<Grant>> wrong(String why) {
    return new Parsed.Bad<>(java.util.List.of(new FieldError("receipt", why)));
  }

  /** What a store that lost the session needs to know; the key is lost with it. */
  private static Grant grant(Receipts.Grant receipt) {
    Instant at = receipt.grantedAt();
    return new Grant(
        receipt.pool(),
        receipt.session(),
        new cupbear.scheduler.model.Caller(receipt.caller()),
        "",
        "",
        receipt.machine(),
        receipt.region(),
        receipt.address(),
        receipt.epoch(),
        at,
        Duration.ZERO,
        at,
        new Proof(receipt.machine(), receipt.bootedAt(), at, at),
        null);
  }
}
