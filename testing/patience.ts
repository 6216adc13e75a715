/**
 * Multiplies the timeouts of all tests: TEST_PATIENCE, for slow machines. A longer timeout does not slow
 * down a test that passes.
 */
export const patience = Math.max(1, Number(process.env.TEST_PATIENCE ?? 1) || 1)
