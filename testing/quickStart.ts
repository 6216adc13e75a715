/**
 * Node's options for a process that runs for seconds. Without the second, optimising compiler of WebAssembly the
 * embedded database starts with a third less processor time. With fifteen times the usual budget, V8 optimises only
 * functions that run for long: for others the compilation takes more time than it saves. A server in operation needs
 * both compilers.
 */
export const quickStart = ['--liftoff-only', '--interrupt-budget=1000000']
