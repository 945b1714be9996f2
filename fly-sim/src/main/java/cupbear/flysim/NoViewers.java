// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Machines with nothing inside, for tests of the API alone: no socket opens, {@code private_ip} is
 * an invented 6PN address, every command succeeds silently. Stateless, any thread.
 */
public final class NoViewers implements Viewers {

  @Override
  public Optional<Address> reserve(String machineId) {
    return Optional.empty();
  }

  @Override
  public Future<Void> start(String machineId, Launch launch) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> pause(String machineId) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> stop(String machineId) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> release(String machineId) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> mode(String machineId, Mode mode) {
    return Future.succeededFuture();
  }

  @Override
  public Future<ExecResult> exec(String machineId, List<String> command, String stdin) {
    return Future.succeededFuture(new ExecResult(0, "", ""));
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
