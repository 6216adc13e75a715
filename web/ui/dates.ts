/** Formats of dates in the language of the browser. */
export const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
export const dayAndTime = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
})
