/** One place of a library's text, and what stands there instead. */
export interface Mend {
  /** What is wrong with it as it is. */
  why: string
  from: string
  to: string
}
