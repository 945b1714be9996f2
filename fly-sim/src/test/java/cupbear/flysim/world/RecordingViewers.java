// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import cupbear.flysim.NoViewers;
import cupbear.flysim.Viewers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Notes what the world asks for; a start can be made to fail. */
final class RecordingViewers implements Viewers {
  final List<String> done = new ArrayList<>();
  boolean startFails;
  private final Viewers nothing = new NoViewers();

  @Override
  public Optional<Address> reserve(String machineId) {
    done.add("reserve");
    return nothing.reserve(machineId);
  }

  @Override
  public Future<Void> start(String machineId, Launch launch) {
    done.add("start " + launch.readyAfter().toMillis());
    return startFails ? Future.failedFuture("no socket is left") : nothing.start(machineId, launch);
  }

  @Override
  public Future<Void> pause(String machineId) {
    done.add("pause");
    return nothing.pause(machineId);
  }

  @Override
  public Future<Void> stop(String machineId) {
    done.add("stop");
    return nothing.stop(machineId);
  }

  @Override
  public Future<Void> release(String machineId) {
    done.add("release");
    return nothing.release(machineId);
  }

  @Override
  public Future<Void> mode(String machineId, Mode mode) {
    done.add("mode " + mode);
    return nothing.mode(machineId, mode);
  }

  @Override
  public Future<ExecResult> exec(String machineId, List<String> command, String stdin) {
    done.add("exec " + String.join(" ", command));
    return nothing.exec(machineId, command, stdin);
  }

  @Override
  public void close() {
    nothing.close();
  }
}
