/** This browser's localStorage. When it is blocked or full, nothing is stored and nothing throws. */
export const textStore = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, text: string) {
    try {
      localStorage.setItem(key, text)
    } catch {
      // Blocked or full.
    }
  },
  remove(key: string) {
    try {
      localStorage.removeItem(key)
    } catch {
      // Blocked: nothing was stored either.
    }
  },
}
