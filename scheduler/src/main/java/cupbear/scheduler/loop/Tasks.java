// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.core.Tags;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes tasks of actions: adds what only the loop knows about the Machine. */
final class Tasks {
  private final Mandate mandate;
  private final Ledger ledger;
  private final Sightings sightings;
  private final Intentions intentions;

  Tasks(Mandate mandate, Ledger ledger, Sightings sightings, Intentions intentions) {
    this.mandate = mandate;
    this.ledger = ledger;
    this.sightings = sightings;
    this.intentions = intentions;
  }

  /** Empty when something that it takes is not known yet; the next pass will ask again. */
  Optional<Task> of(Action action, Desired desired, Instant now) {
    return switch (action) {
      case Action.Create create -> Optional.of(make(create, desired, now));
      case Action.Start start -> Optional.of(new Task.Start(start, now));
      case Action.Stage stage ->
          Optional.ofNullable(ledger.find(stage.machine()))
              .map(booked -> new Task.Stage(stage, booked.bootedAt()));
      case Action.Book book -> move(book).map(move -> new Task.Shift(book, move));
      case Action.Doubt doubt -> shift(doubt, new Move.Doubt(doubt.machine()));
      case Action.Drain drain -> shift(drain, new Move.Retire(drain.machine()));
      case Action.Adopt adopt ->
          sightings
              .listed(adopt.machine())
              .map(listed -> new Task.Shift(adopt, new Move.Adopt(stray(listed, now))));
      case Action.Teardown teardown -> Optional.of(new Task.Teardown(teardown));
      case Action.Stop stop -> Optional.of(new Task.Stop(stop));
      case Action.Destroy destroy -> Optional.of(new Task.Destroy(destroy));
      case Action.Lose lose -> Optional.of(new Task.Lose(lose));
      case Action.Retag retag -> Optional.of(new Task.Retag(retag));
    };
  }

  private static Optional<Task> shift(Action action, Move move) {
    return Optional.of(new Task.Shift(action, move));
  }

  private Task make(Action.Create create, Desired desired, Instant now) {
    var tags =
        Tags.of(
            mandate.pool(),
            mandate.region(),
            desired,
            create.template(),
            create.keep(),
            Standing.PROVISIONING);
    Order order =
        new Order(
            create.name(),
            mandate.pool(),
            mandate.region(),
            desired.template(),
            create.keep(),
            tags);
    return new Task.Make(create, order, now, intentions.firstAsked(create.name(), now));
  }

  private Optional<Move> move(Action.Book book) {
    return switch (book.progress()) {
      case BOOTED ->
          sightings
              .listed(book.machine())
              .flatMap(listed -> Optional.ofNullable(listed.address()))
              .map(address -> new Move.Boot(book.machine(), address));
      case STOPPED -> Optional.of(new Move.Park(book.machine()));
      case GONE -> Optional.of(new Move.Forget(book.machine()));
    };
  }

  /** What its tags say, and the worst where they say nothing: a session may have been on it. */
  private Booked stray(Listed listed, Instant now) {
    return new Booked(
        listed.id(),
        listed.name(),
        mandate.region(),
        template(listed.tags().get("template_version")),
        Keep.ALWAYS.word().equals(listed.tags().get("keep")) ? Keep.ALWAYS : Keep.MANUAL,
        listed.createdAt() == null ? now : listed.createdAt(),
        listed.address(),
        new MachineState.Draining(now, Cleaning.DUE),
        null);
  }

  private static TemplateVersion template(@Nullable String tag) {
    if (tag == null) return new TemplateVersion("unknown");
    try {
      return new TemplateVersion(tag);
    } catch (IllegalArgumentException unreadable) {
      return new TemplateVersion("unknown");
    }
  }
}
