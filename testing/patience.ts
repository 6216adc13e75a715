/**
 * Factor of all test timeouts, from TEST_PATIENCE, for slow machines. Longer timeouts do not slow down tests
 * that pass.
 */
export const patience = Math.max(1, Number(process.env.TEST_PATIENCE ?? 1) || 1)
