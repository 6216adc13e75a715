/** What is stored on the device of a drive, until the server has it or the driver has read it. */
export const receiptsKey = 'pitboard.receipts'
export const driverMessageKey = 'pitboard.drive'
export const lostFixesKey = 'pitboard.lostFixes'
