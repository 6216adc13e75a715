const nodeMajor = Number.parseInt(process.versions.node, 10)

/**
 * Node's options for a process that runs for seconds. Without the second, optimising compiler of WebAssembly the
 * embedded database starts with a third less processor time. With fifteen times the usual interrupt budget, V8
 * optimises only functions that run for long: for others compilation takes more time than it saves. Node 22 and later do
 * not start with this option, because they do not have it. A server in operation needs both compilers.
 */
export const quickStart = [
  '--liftoff-only',
  ...(nodeMajor < 22 ? ['--interrupt-budget=1000000'] : []),
]
