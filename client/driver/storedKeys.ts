/** Storage keys of a drive's data on the device. */
export const receiptsKey = 'pitboard.receipts'
export const answersKey = 'pitboard.answers'
export const driverMessageKey = 'pitboard.drive'
export const lostFixesKey = 'pitboard.lostFixes'
