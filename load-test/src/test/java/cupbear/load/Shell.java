// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the little shell that our pages are written in: words, quotes, comments, line ends that are
 * escaped, pipes, lists and {@code $(…)}. Enough to find every command and its arguments.
 */
final class Shell {
  private final String text;
  private final List<List<String>> commands = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private int at;

  private Shell(String text) {
    this.text = text.replace("\\\n", " ");
  }

  /** The commands in a block, each as its words, without variables set in front of them. */
  static List<List<String>> commands(String block) {
    Shell shell = new Shell(block);
    shell.read();
    return shell.commands;
  }

  private void read() {
    while (at < text.length()) {
      char c = text.charAt(at++);
      switch (c) {
        case '\'' -> quoted('\'');
        case '"' -> quoted('"');
        case '#' -> comment();
        case ' ', '\t' -> endWord();
        case '\n', '|', '&', ';', '(', ')', '`' -> endCommand();
        case '>', '<' -> redirection();
        default -> plain(c);
      }
    }
    endCommand();
  }

  private void plain(char c) {
    // The '$' of "$(" belongs to no word: a new command begins.
    if (c == '$' && at < text.length() && text.charAt(at) == '(') return;
    inWord = true;
    word.append(c);
  }

  private void quoted(char quote) {
    inWord = true;
    int end = text.indexOf(quote, at);
    if (end < 0) throw new IllegalArgumentException("a quote is not closed: " + text);
    String inside = text.substring(at, end);
    if (quote == '"' && inside.contains("$(")) {
      throw new IllegalArgumentException(
          "a command inside double quotes; put its output into a variable first: " + inside);
    }
    word.append(inside);
    at = end + 1;
  }

  private void comment() {
    if (inWord) {
      word.append('#');
      return;
    }
    int end = text.indexOf('\n', at);
    at = end < 0 ? text.length() : end;
  }

  /** Its file is no argument. */
  private void redirection() {
    endWord();
    while (at < text.length() && " <>&".indexOf(text.charAt(at)) >= 0) at++;
    while (at < text.length() && " \n|;)".indexOf(text.charAt(at)) < 0) at++;
  }

  private void endWord() {
    if (inWord) words.add(word.toString());
    word.setLength(0);
    inWord = false;
  }

  private void endCommand() {
    endWord();
    while (!words.isEmpty() && words.getFirst().matches("[A-Z_]+=.*")) words.removeFirst();
    if (!words.isEmpty()) commands.add(words);
    words = new ArrayList<>();
  }
}
