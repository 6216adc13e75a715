/** The maximum number of commands that one message may supersede. */
export const maxSuperseded = 20
