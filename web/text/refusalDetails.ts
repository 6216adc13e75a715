import { detailSentences } from '#contract/shared/refusalDetails.ts'
import { part } from './text.ts'

/** Sentences for the exact reasons of refusals. Loaded after the first refusal that has one. */
export const refusalDetailsText = part('refusalDetails', detailSentences)

declare module './text.ts' {
  interface Text {
    readonly refusalDetails: typeof refusalDetailsText
  }
}
