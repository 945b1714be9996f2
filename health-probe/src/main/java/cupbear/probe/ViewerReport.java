// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What one round found out about one viewer.
 *
 * @param answers in the order in which they were asked; never empty
 */
public record ViewerReport(List<Answer> answers) {

  /** What is asked of a viewer. */
  public enum Part {
    GUACD,
    PLUGIN,
    RDP;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One question's end. */
  public record Answer(Part part, ProbeReport report) {}

  public ViewerReport {
    answers = List.copyOf(answers);
    if (answers.isEmpty()) throw new IllegalArgumentException("a round asks something");
  }

  public boolean healthy() {
    return verdict().healthy();
  }

  public ProbeReport verdict() {
    return decisive().report();
  }

  /** The first that is not healthy, or else the last. */
  public Answer decisive() {
    return answers.stream()
        .filter(answer -> !answer.report().healthy())
        .findFirst()
        .orElse(answers.getLast());
  }

  public Optional<ProbeReport> of(Part part) {
    return answers.stream().filter(a -> a.part() == part).map(Answer::report).findFirst();
  }
}
