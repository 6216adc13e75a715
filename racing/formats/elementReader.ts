import type { RecordedFix } from './recordedFix.ts'

/** Reads the elements of one XML format, as they are parsed. Names have no namespace and are in lower case. */
export interface ElementReader {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close: (name: string, content: string) => void
  /** True once a position was read: the rest of the file may be cut off. */
  readonly hasPoints: boolean
  /** Returns the fixes. Throws RecordingRefused without any. */
  readonly finish: () => RecordedFix[]
}
