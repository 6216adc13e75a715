/** Storage keys of a drive's data on the device. */
export const receiptsKey = 'pitboard.receipts'
export const answersKey = 'pitboard.answers'
export const shownFlagsKey = 'pitboard.shownFlags'
/** In the tab's storage: a second tab has its own drive screen. */
export const driveScreenKey = 'pitboard.driveScreen'
export const driverMessageKey = 'pitboard.drive'
/** The session driven on this device, with its team: the way back to its drive screen. */
export const drivenSessionKey = 'pitboard.driven'
/** Id of the driven session while its data link is off, so that a reload sends nothing either. */
export const linkOffKey = 'pitboard.dataLinkOff'
export const lostFixesKey = 'pitboard.lostFixes'
/** Driver changes made on this device that the server has not confirmed. */
export const driverChangesKey = 'pitboard.driverChanges'
