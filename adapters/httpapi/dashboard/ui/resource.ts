// What a screen reads from the service: it is loading, there, or could not be had.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get } from "./api";

export interface Resource<T> {
  /** undefined until the first answer. It stays while the same thing is read again. */
  value: T | undefined;
  error: ApiError | null;
  loading: boolean;
  reload: () => Promise<void>;
  /** Puts in place what another answer has told of the same thing. */
  set: (value: T) => void;
}

interface State<T> {
  path: string | null;
  value: T | undefined;
  error: ApiError | null;
  loading: boolean;
}

/**
 * Reads a path while the screen is shown, and again if the path changes. Nothing is read of
 * null. An answer that comes after its screen has gone, or after a newer question, is dropped.
 * read is how it is read.
 */
export function useResource<T>(path: string | null, read: (path: string, signal: AbortSignal) => Promise<T> = get): Resource<T> {
  const blank: State<T> = { path, value: undefined, error: null, loading: path !== null };
  const [state, put] = useState<State<T>>(blank);
  const asked = useRef<AbortController | null>(null);

  const load = useCallback(async () => {
    asked.current?.abort();
    if (path === null) return put({ path, value: undefined, error: null, loading: false });
    const control = new AbortController();
    asked.current = control;
    put((s) => ({ path, value: s.path === path ? s.value : undefined, error: null, loading: true }));
    try {
      const value = await read(path, control.signal);
      if (!control.signal.aborted) put({ path, value, error: null, loading: false });
    } catch (e) {
      if (control.signal.aborted) return;
      if (!(e instanceof ApiError)) throw e;
      put((s) => ({ ...s, error: e, loading: false }));
    }
  }, [path]);

  useEffect(() => {
    void load();
    return () => asked.current?.abort();
  }, [load]);

  const set = useCallback(
    (value: T) => {
      asked.current?.abort();
      put({ path, value, error: null, loading: false });
    },
    [path],
  );

  // The render after a change of path comes before its effect: the old value is not the new
  // path's.
  const now = state.path === path ? state : blank;
  return { ...now, reload: load, set };
}
