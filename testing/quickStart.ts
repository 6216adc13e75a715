const nodeMajor = Number.parseInt(process.versions.node, 10)

/**
 * Node's options for a process that runs for seconds. Without the second, optimising compiler of WebAssembly the
 * embedded database starts with a third less processor time. With fifteen times the usual budget, V8 optimises only
 * functions that run for long: for others the compilation takes more time than it saves. Node 22 has no such option,
 * and would not start with it. A server in operation needs both compilers.
 */
export const quickStart = [
  '--liftoff-only',
  ...(nodeMajor < 22 ? ['--interrupt-budget=1000000'] : []),
]
