/**
 * Strings by key that survive a reload, as in localStorage. No method throws: if the device cannot store,
 * `read` returns null.
 */
export interface TextStore {
  read(key: string): string | null
  write(key: string, text: string): void
  remove(key: string): void
}

/** The JSON value of a key, or null if there is none or it is not JSON. The caller checks its shape. */
export function readJson(store: TextStore, key: string): unknown {
  try {
    return JSON.parse(store.read(key) ?? 'null')
  } catch {
    return null
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
