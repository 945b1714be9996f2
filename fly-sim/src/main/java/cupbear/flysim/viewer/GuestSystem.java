// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Users and files inside one Machine: what {@code exec} changes and what a login is judged by. Used
 * on the Machine's event loop only. {@link #wipe} brings back the image, as a stop does at Fly.
 */
final class GuestSystem {

  /** The account that the image brings along; it cannot log in before it has a password. */
  static final String IMAGE_USER = "viewer";

  // A guest is a stage prop: a thousand of them share one heap.
  static final int FILES_MAX = 64;
  static final int FILE_CHARS_MAX = 64 * 1024;

  private static final String LOCKED = "";

  private final Map<String, String> passwords = new HashMap<>();
  private final TreeMap<String, String> files = new TreeMap<>();

  GuestSystem() {
    wipe();
  }

  void wipe() {
    passwords.clear();
    files.clear();
    passwords.put(IMAGE_USER, LOCKED);
  }

  boolean accepts(String user, String password) {
    return !password.isEmpty() && password.equals(passwords.get(user));
  }

  boolean hasUser(String user) {
    return passwords.containsKey(user);
  }

  /** Adds a locked account; false when it is there already. */
  boolean addUser(String user) {
    return passwords.putIfAbsent(user, LOCKED) == null;
  }

  /** Forgets an account; false when there is none. */
  boolean removeUser(String user) {
    return passwords.remove(user) != null;
  }

  /** Sets the password of an account; false when there is no such account. */
  boolean password(String user, String password) {
    return passwords.replace(user, password) != null;
  }

  /** Writes a file; false when the disk, such as it is, is full. */
  boolean write(String path, String content) {
    boolean fits = files.containsKey(path) || files.size() < FILES_MAX;
    if (!fits || content.length() > FILE_CHARS_MAX) {
      return false;
    }
    files.put(path, content);
    return true;
  }

  Optional<String> read(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /** Removes a file, or a folder with all that is in it; false when there was nothing. */
  boolean remove(String path) {
    Collection<String> inside = under(path);
    boolean folder = !inside.isEmpty();
    inside.clear();
    return files.remove(path) != null || folder;
  }

  /** The paths below a folder, sorted. A view: clearing it removes the files. */
  Collection<String> under(String folder) {
    String prefix = folder.endsWith("/") ? folder : folder + "/";
    return files.subMap(prefix, prefix + Character.MAX_VALUE).keySet();
  }
}
