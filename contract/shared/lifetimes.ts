// How long something is stored or valid: for the server, and for sentences on screens and in mails. No zod here.

/** Days after which a new invitation by mail expires. Codes to join: `joinCodeLifeMs`. */
export const invitationDays = 30

/** Days in which the former owner can restore a deleted team. */
export const restoreDays = 7

/** Days for which the changes of a team by its members are stored. */
export const teamHistoryDays = 400

/** How long the code of a television is valid. */
export const televisionCodeLifeMs = 5 * 60_000
