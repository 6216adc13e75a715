import type { TextStore } from '#client/textStore.ts'

/** An in-memory TextStore; pass the same `texts` to simulate a reload of the page. */
export function memoryTextStore(texts = new Map<string, string>()): TextStore {
  return {
    read: key => texts.get(key) ?? null,
    write: (key, text) => void texts.set(key, text),
    remove: key => void texts.delete(key),
  }
}

/** An in-memory TextStore that keeps the old texts, and stores no others, while `isFull`. */
export function limitedTextStore() {
  const { read, write, remove } = memoryTextStore()
  const limited = {
    isFull: false,
    read,
    remove,
    write(key: string, text: string) {
      if (!limited.isFull) write(key, text)
    },
  }
  return limited
}

/** The TextStore of a browser that blocks storage. */
export const noTextStore: TextStore = {
  read: () => null,
  write: () => undefined,
  remove: () => undefined,
}
