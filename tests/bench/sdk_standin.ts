// Stands in for the host's SDK where the shim runs outside of it.
export const buildMemorySystemPromptAddition = (): string | undefined => undefined;
export const delegateCompactionToRuntime = async (): Promise<unknown> => ({
  ok: true,
  compacted: false,
  reason: "below threshold",
});
