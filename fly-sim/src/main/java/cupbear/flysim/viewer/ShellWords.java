// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits a one-line shell script into commands: quotes, {@code &&}, {@code ;}, nothing else. */
final class ShellWords {

  /**
   * One command of a script.
   *
   * @param onlyIfOk whether the one before must have succeeded
   */
  record Step(List<String> words, boolean onlyIfOk) {}

  // What a real shell would act on; taking it for a plain character would fake a success.
  private static final String NOT_SIMULATED = "|<>$`(){}*?\\&";

  private final List<Step> steps = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private List<String> words = new ArrayList<>();
  private boolean inWord;
  private boolean onlyIfOk;

  private ShellWords() {}

  /** Empty when the script needs more shell than is simulated. */
  static Optional<List<Step>> parse(String script) {
    ShellWords splitter = new ShellWords();
    return splitter.split(script) ? Optional.of(splitter.steps) : Optional.empty();
  }

  private boolean split(String script) {
    for (int i = 0; i < script.length(); i++) {
      char c = script.charAt(i);
      if (c == '\'' || c == '"') {
        int end = script.indexOf(c, i + 1);
        if (end < 0) {
          return false;
        }
        word.append(script, i + 1, end);
        inWord = true;
        i = end;
      } else if (script.startsWith("&&", i)) {
        endStep(true);
        i++;
      } else if (c == ';' || c == '\n') {
        endStep(false);
      } else if (Character.isWhitespace(c)) {
        endWord();
      } else if (NOT_SIMULATED.indexOf(c) >= 0) {
        return false;
      } else {
        word.append(c);
        inWord = true;
      }
    }
    endStep(false);
    return true;
  }

  private void endWord() {
    if (inWord) {
      words.add(word.toString());
      word.setLength(0);
      inWord = false;
    }
  }

  private void endStep(boolean nextOnlyIfOk) {
    endWord();
    if (!words.isEmpty()) {
      steps.add(new Step(List.copyOf(words), onlyIfOk));
      words = new ArrayList<>();
    }
    onlyIfOk = nextOnlyIfOk;
  }
}
