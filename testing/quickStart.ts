/**
 * Node's options for a process that runs for seconds: without the second, optimising compiler of WebAssembly the
 * embedded database starts with a third less processor time. A server in operation needs that compiler.
 */
export const quickStart = ['--liftoff-only']
