/** A replacement of one passage in a library's source. */
export interface VendorPatch {
  /** The defect that the replacement fixes. */
  why: string
  from: string
  to: string
}
