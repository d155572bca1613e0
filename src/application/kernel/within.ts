/** The result if it arrives within the time; otherwise null. */
export async function within<R>(result: Promise<R>, ms: number): Promise<R | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, ms, null)));
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
