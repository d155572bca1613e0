import { useQuery } from '@tanstack/react-query';
import { service } from '../app/service.js';

/** How many tasks went from which state to which since a time. Asked for once: it is about the time before. */
export const useChangesSince = (since: string | null) =>
  useQuery({
    queryKey: ['changes since', since],
    queryFn: () => service(undefined).changesSum({ since: since! }),
    enabled: since !== null,
    staleTime: Infinity,
    retry: false,
  });
