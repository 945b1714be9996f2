// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.Address;
import cupbear.flysim.Viewers.ExecResult;
import cupbear.flysim.Viewers.Launch;
import cupbear.flysim.Viewers.Mode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Viewers with one Machine on them, and calls that wait. */
final class Stage implements AutoCloseable {

  static final String MACHINE = "3d8d413b29d089";

  // A bound for a hanging test, not an expectation.
  private static final long PATIENCE_S = 30;

  final LoopbackViewers viewers;
  final Address address;

  Stage(ViewerSettings settings) {
    viewers = new LoopbackViewers(settings);
    address = viewers.reserve(MACHINE).orElseThrow();
  }

  static Stage standard() {
    return new Stage(ViewerSettings.standard());
  }

  Stage start(Mode mode) throws Exception {
    await(viewers.start(MACHINE, new Launch(Duration.ZERO, mode)));
    return this;
  }

  void mode(Mode mode) throws Exception {
    await(viewers.mode(MACHINE, mode));
  }

  ExecResult exec(String stdin, String... command) throws Exception {
    return await(viewers.exec(MACHINE, List.of(command), stdin));
  }

  static <T> T await(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.toCompletionStage().toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    viewers.close();
  }
}
