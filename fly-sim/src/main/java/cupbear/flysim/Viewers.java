// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What runs inside the simulated Machines. The simulator owns states, leases and events; whoever
 * implements this owns the sockets that a scheduler or gateway dials, and the files that {@code
 * exec} leaves behind.
 *
 * <p>All methods are called from the simulator's one thread, in order per Machine, and must return
 * at once; the futures may complete on any thread. Unknown Machines are no error: stopping, pausing
 * or releasing one that does not run does nothing. Nothing survives the process.
 *
 * <p>The life of one Machine, as seen from here:
 *
 * <ol>
 *   <li>{@link #reserve} once at create: the address must be known before anything listens;
 *   <li>{@link #start} whenever it reaches {@code started};
 *   <li>{@link #pause} when suspended (files stay), {@link #stop} when it stops, crashes or is
 *       replaced (files are wiped: the next start sees a fresh root file system);
 *   <li>{@link #release} at the end, or before a new {@link #reserve} when the Machine migrates to
 *       another host and with it to another address.
 * </ol>
 */
public interface Viewers extends AutoCloseable {

  /** How the services inside a Machine behave towards whoever connects. */
  enum Mode {
    /** Answers as a healthy guacd and RDP server. */
    READY,
    /** The VM runs, the services do not listen yet: connections are refused. */
    BOOTING,
    /** Accepts connections and never answers. */
    HANG,
    /** The services are gone although the VM still runs: connections are refused or reset. */
    CRASHED,
    /** Answers correctly, a byte now and then. */
    DRIP,
    /** Answers at once, with bytes that are no protocol. */
    GARBAGE
  }

  /**
   * Where the services of one Machine are dialled.
   *
   * @param host goes out as the Machine's {@code private_ip}
   * @param guacdPort 4822 wherever every Machine can have its own address
   * @param rdpPort 3389 wherever every Machine can have its own address
   */
  record Address(String host, int guacdPort, int rdpPort) {}

  /**
   * How a Machine boots.
   *
   * @param readyAfter real time (the speed factor is already applied) that the services stay {@link
   *     Mode#BOOTING} after this call; zero after a resume
   * @param mode how the services behave once they are up
   */
  record Launch(Duration readyAfter, Mode mode) {}

  /** What a command did; a failing command is a normal answer. */
  record ExecResult(int exitCode, String stdout, String stderr) {}

  /**
   * Chooses the address of a Machine, listening or not. The same answer until {@link #release}.
   *
   * @return empty when nothing will ever listen: the simulator then invents a 6PN-like address
   */
  Optional<Address> reserve(String machineId);

  /**
   * Brings the services up on the reserved address.
   *
   * @return completes when the sockets are arranged for (not when ready); a failure is shown by the
   *     simulator as a Machine that exited
   */
  Future<Void> start(String machineId, Launch launch);

  /** Stops listening and drops connections; files and users stay for the next start. */
  Future<Void> pause(String machineId);

  /** Stops listening, drops connections and wipes files and users. */
  Future<Void> stop(String machineId);

  /** As {@link #stop}, and the address becomes free. */
  Future<Void> release(String machineId);

  /** Changes behaviour now; remembered for later starts until changed or released. */
  Future<Void> mode(String machineId, Mode mode);

  /** Runs a command inside a started Machine. */
  Future<ExecResult> exec(String machineId, List<String> command, String stdin);

  /** Ends everything that listens. */
  @Override
  void close();
}
