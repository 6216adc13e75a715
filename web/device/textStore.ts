/** This browser's localStorage. Where it is forbidden or full, nothing is stored and nothing throws. */
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
      // Forbidden or full.
    }
  },
  remove(key: string) {
    try {
      localStorage.removeItem(key)
    } catch {
      // Forbidden: nothing was stored either.
    }
  },
}
