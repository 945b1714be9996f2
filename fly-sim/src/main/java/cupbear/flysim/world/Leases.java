// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Switches.UnderLease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leases: who holds one, and what others may do meanwhile. Most calls are refused at once; stop and
 * delete wait until the lease ends and then run; metadata, exec, reads and waits do not care.
 * World's thread.
 */
final class Leases {
  private final Platform platform;

  Leases(Platform platform) {
    this.platform = platform;
  }

  /** Refuses whoever does not hold the lease that somebody holds. */
  void guard(Request request) {
    Lease foreign = foreign(request);
    if (foreign != null) {
      throw Errors.leaseHeld(request.machine(), foreign);
    }
  }

  /** Runs now, or when the lease of somebody else has ended. */
  Future<Reply> whenFree(Request request, Supplier<Reply> action) {
    Lease foreign = foreign(request);
    if (foreign == null) {
      return Future.succeededFuture(action.get());
    }
    if (platform.switches.stopUnderLease() == UnderLease.REFUSE) {
      throw Errors.leaseHeld(request.machine(), foreign);
    }
    Promise<Reply> promise = Promise.promise();
    block(request, action, promise, foreign);
    return promise.future();
  }

  private void block(
      Request request, Supplier<Reply> action, Promise<Reply> promise, Lease foreign) {
    Machine machine = request.machine();
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            if (!machine.blocked.remove(this)) {
              return;
            }
            Lease still = foreign(request);
            if (still != null) {
              block(request, action, promise, still);
              return;
            }
            try {
              promise.complete(action.get());
            } catch (Refusal refusal) {
              promise.complete(refusal.reply());
            }
          }
        };
    machine.blocked.add(again);
    platform.timers.after(Duration.between(platform.now(), foreign.expiresAt()), again);
  }

  private @Nullable Lease foreign(Request request) {
    Lease lease = request.machine().leaseAt(platform.now());
    return lease == null || lease.nonce().equals(request.call().nonce()) ? null : lease;
  }

  Reply get(Request request) {
    Lease lease = request.machine().leaseAt(platform.now());
    if (lease == null) {
      throw Errors.leaseNotFound();
    }
    return Reply.ok(shaped(lease));
  }

  /** A new lease, or more time for the one whose nonce comes along. */
  Reply acquire(Request request) {
    Machine machine = request.machine();
    if (machine.state == State.DESTROYED) {
      throw Errors.machineNotFound();
    }
    ObjectNode body = request.body();
    String inQuery = request.call().query("ttl");
    Duration ttl = ttl(inQuery.isEmpty() ? Json.number(body, "ttl", 0) : seconds(inQuery));
    Lease held = machine.leaseAt(platform.now());
    Instant until = platform.now().plus(ttl);
    if (held == null) {
      machine.lease = lease(machine, until, request.token().user(), Json.text(body, "description"));
    } else if (held.nonce().equals(request.call().nonce())) {
      machine.lease = held.until(until);
    } else {
      throw Errors.leaseHeldOnLeaseCall(machine, held);
    }
    return Reply.of(201, shaped(machine.lease));
  }

  private static long seconds(String text) {
    if (!text.matches("\\d{1,9}")) {
      throw Errors.invalid("ttl must be whole seconds");
    }
    return Long.parseLong(text);
  }

  /** Zero stands for not given. */
  Duration ttl(long seconds) {
    Switches switches = platform.switches;
    if (seconds < 0 || seconds > switches.leaseMaxTtlS()) {
      throw Errors.invalid("ttl must be 1 to " + switches.leaseMaxTtlS() + " seconds");
    }
    return Duration.ofSeconds(seconds == 0 ? switches.leaseDefaultTtlS() : seconds);
  }

  Lease lease(Machine machine, Instant until, String owner, String description) {
    return new Lease(platform.ids.hex(12), until, owner, description, machine.instanceId());
  }

  Reply release(Request request) {
    Machine machine = request.machine();
    if (request.call().nonce().isEmpty()) {
      throw Errors.invalid("the fly-machine-lease-nonce header is required");
    }
    Lease held = machine.leaseAt(platform.now());
    if (held == null) {
      throw Errors.leaseNotFound();
    }
    if (!held.nonce().equals(request.call().nonce())) {
      throw Errors.leaseHeldOnLeaseCall(machine, held);
    }
    machine.lease = null;
    List.copyOf(machine.blocked).forEach(Runnable::run);
    ObjectNode ok = Json.object().put("ok", true);
    return Reply.ok(enveloped(ok));
  }

  private ObjectNode shaped(Lease lease) {
    return enveloped(lease.toJson());
  }

  private ObjectNode enveloped(ObjectNode data) {
    if (platform.switches.leaseShape() == Switches.LeaseShape.FLAT) {
      return data;
    }
    ObjectNode envelope = Json.object().put("status", "success");
    envelope.set("data", data);
    return envelope;
  }
}
