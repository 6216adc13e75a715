/** Storage key of driver changes made on this device that the server has not confirmed. */
export const driverChangesKey = 'pitboard.driverChanges'
