import type { TextStore } from '#client/textStore.ts'

/** Text that survives everything but this process; `texts` is what a device would hold. */
export function memoryTextStore(texts = new Map<string, string>()): TextStore {
  return {
    read: key => texts.get(key) ?? null,
    write: (key, text) => void texts.set(key, text),
    remove: key => void texts.delete(key),
  }
}

/** A browser that forbids storage. */
export const noTextStore: TextStore = {
  read: () => null,
  write: () => undefined,
  remove: () => undefined,
}
