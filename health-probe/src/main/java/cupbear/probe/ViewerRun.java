// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ViewerReport.Answer;
import cupbear.probe.ViewerReport.Part;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One round of questions to one viewer, one after the other. Both stages complete normally whatever
 * happens, on the round's event loop: do not block in what you attach to them. Its own state is
 * touched on that loop only.
 */
public final class ViewerRun {

  private final EventLoop loop;
  private final BiFunction<Part, EventLoop, ProbeRun> dial;
  private final boolean untilFirstFailure;
  private final Queue<Part> parts = new ArrayDeque<>();
  private final List<Answer> answers = new ArrayList<>();
  private final CompletableFuture<ViewerReport> report = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private @Nullable ProbeRun current;
  private int sockets;
  private final AtomicReference<Runnable> release = new AtomicReference<>(() -> {});

  ViewerRun(ProbePlan plan, EventLoop loop, BiFunction<Part, EventLoop, ProbeRun> dial) {
    this.loop = loop;
    this.dial = dial;
    this.untilFirstFailure = plan.untilFirstFailure();
    for (Part part : Part.values()) {
      if (plan.has(part)) parts.add(part);
    }
  }

  public CompletionStage<ViewerReport> report() {
    return report.minimalCompletionStage();
  }

  /** When all its sockets are closed, up to the drain deadline after the verdict. */
  public CompletionStage<Void> closed() {
    return closed.minimalCompletionStage();
  }

  /** Ends it soon with {@link ProberError}; no effect once there is a verdict. */
  public void cancel() {
    try {
      loop.execute(this::cancelOnLoop);
    } catch (RejectedExecutionException e) {
      // The pipeline is closed and has ended every run itself.
      end(Cause.SHUT_DOWN);
    }
  }

  private void cancelOnLoop() {
    ProbeRun running = current;
    if (running == null) end(Cause.CANCELLED);
    else running.cancel();
  }

  /** What frees its place, before anybody hears that it is closed. Runs once. */
  void whenClosed(Runnable freesItsPlace) {
    release.set(freesItsPlace);
  }

  void begin() {
    try {
      loop.execute(this::next);
    } catch (RejectedExecutionException e) {
      end(Cause.SHUT_DOWN);
    }
  }

  /** Ends what has not begun, or will never be heard of again. */
  void end(Cause cause) {
    Part part = parts.isEmpty() ? Part.RDP : parts.element();
    ProbeReport none = ProbeReport.notBegun(new ProberError(cause, ""));
    report.complete(new ViewerReport(List.of(new Answer(part, none))));
    finish();
  }

  private void next() {
    if (report.isDone()) return;
    Part part = parts.remove();
    sockets++;
    ProbeRun run = dial.apply(part, loop);
    current = run;
    run.report().thenAccept(ended -> heard(part, ended));
    run.closed().thenRun(this::socketClosed);
  }

  private void heard(Part part, ProbeReport ended) {
    answers.add(new Answer(part, ended));
    boolean ours = ended.result().weight() == Weight.NEVER;
    boolean enough = !ended.healthy() && (untilFirstFailure || ours);
    if (parts.isEmpty() || enough) {
      report.complete(new ViewerReport(answers));
      settle();
    } else {
      next();
    }
  }

  private void socketClosed() {
    sockets--;
    settle();
  }

  /** A socket may be closed before or after its verdict is heard. */
  private void settle() {
    if (sockets == 0 && report.isDone()) finish();
  }

  private void finish() {
    release.getAndSet(() -> {}).run();
    closed.complete(null);
  }
}
