// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Every refusal in Fly's words: {@code {"error":"<code>: <text>","status":"<code>"}}, where the
 * prefix mirrors the HTTP status and {@code status} is there only for the four codes Fly has.
 */
final class Errors {

  private Errors() {}

  static Refusal of(int status, String error) {
    return new Refusal(Reply.of(status, Json.object().put("error", error)));
  }

  private static Refusal coded(int status, String error, String code) {
    ObjectNode body = Json.object().put("error", error).put("status", code);
    return new Refusal(Reply.of(status, body));
  }

  static Refusal invalid(String why) {
    return of(400, "invalid_argument: " + why);
  }

  static Refusal unauthorized() {
    return of(401, "Authenticate: token validation error");
  }

  static Refusal forbidden(String what) {
    return of(403, "permission_denied: the token is not valid for " + what);
  }

  static Refusal appNotFound() {
    return of(404, "not_found: app not found");
  }

  static Refusal machineNotFound() {
    return of(404, "not_found: machine not found");
  }

  static Refusal notFound(String what) {
    return of(404, "not_found: " + what);
  }

  static Refusal leaseNotFound() {
    return new Refusal(Reply.of(404, leaseBody("not_found: lease not found")));
  }

  static Refusal deadline(String why) {
    return of(408, "deadline_exceeded: " + why);
  }

  static Refusal aborted(String why) {
    return of(409, "aborted: " + why);
  }

  static Refusal leaseHeld(Machine machine, Lease lease) {
    return of(409, leaseHeldText(machine, lease));
  }

  /** Lease calls word their refusals in another shape than all others. */
  static Refusal leaseHeldOnLeaseCall(Machine machine, Lease lease) {
    return new Refusal(Reply.of(409, leaseBody(leaseHeldText(machine, lease))));
  }

  private static String leaseHeldText(Machine machine, Lease lease) {
    return "machine ID %s lease currently held by %s, expires at %s"
        .formatted(machine.id, lease.owner(), Json.seconds(lease.expiresAt()));
  }

  private static ObjectNode leaseBody(String message) {
    return Json.object().put("status", "error").put("message", message);
  }

  static Refusal machineNameTaken(Machine holder) {
    return of(
        409,
        "already_exists: unique machine name violation,"
            .concat(" machine ID %s already exists with name \"%s\"")
            .formatted(holder.id, holder.name));
  }

  static Refusal precondition(String why) {
    return of(412, "failed_precondition: " + why);
  }

  static Refusal cannotStartFrom(State state) {
    return precondition(
        "unable to start machine from current state: '%s'".formatted(state.wireName()));
  }

  static Refusal notRunning() {
    return precondition("machine not running");
  }

  static Refusal appNameTaken(String name) {
    return coded(422, "Name " + name + " has already been taken", "name_taken");
  }

  static Refusal noCapacityInRegion(String regions) {
    return coded(
        422, "could not find a candidate host in region " + regions, "insufficient_capacity");
  }

  static Refusal hostFull(String resource) {
    return aborted(
        "could not reserve resource for machine: insufficient "
            + resource
            + " available to fulfill request on the current host");
  }

  static Refusal machineLimit() {
    return of(
        422, "Your organization has reached its machine limit. Please contact billing@fly.io");
  }

  static Refusal manifestUnknown(String image) {
    return of(400, "failed to get manifest %s: MANIFEST_UNKNOWN".formatted(image));
  }

  static Refusal rateLimited() {
    return of(429, "rate limit exceeded");
  }

  static Refusal waitTimedOut(String wanted, State now) {
    return deadline(
        "machine failed to reach desired state, %s, currently %s"
            .formatted(wanted, now.wireName()));
  }

  static Refusal waitImpossible(String wanted, String now) {
    return aborted(
        "machine failed to reach desired state, %s, currently %s".formatted(wanted, now));
  }

  static Refusal hostSilent(Machine machine, Instant since) {
    return deadline(
        "the host of machine %s has not answered since %s"
            .formatted(machine.id, Json.seconds(since)));
  }
}
