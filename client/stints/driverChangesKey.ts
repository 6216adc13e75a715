/** Storage key of driver changes made on this device that the server is not known to have. */
export const driverChangesKey = 'pitboard.driverChanges'
